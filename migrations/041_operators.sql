-- Up Migration

-- What an administrator may do to one account, each by a permission of its own.
insert into role_grant (role_id, resource, action) values
  ('admin', 'users', 'read'),
  ('admin', 'users', 'disable'),
  ('admin', 'users', 'enable'),
  ('admin', 'users', 'change_role'),
  ('admin', 'users', 'end_sessions')
on conflict do nothing;
