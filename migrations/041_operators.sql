-- Up Migration

-- The permissions for changes of one account.
insert into role_grant (role_id, resource, action) values
  ('admin', 'users', 'read'),
  ('admin', 'users', 'disable'),
  ('admin', 'users', 'enable'),
  ('admin', 'users', 'change_role'),
  ('admin', 'users', 'end_sessions')
on conflict do nothing;
