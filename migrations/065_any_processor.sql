-- Up Migration

-- Payment processors are found by their files in src/billing/processors/: a list of their ids in a constraint would be a second one.
alter table customer drop constraint customer_processor_check;
alter table customer add constraint customer_processor_check check (processor ~ '^[a-z][a-z0-9_-]{0,62}$');
