-- Up Migration

-- Which payment processor a customer, and with it its subscriptions, belongs to.
alter table customer add column processor text not null default 'stripe' check (processor in ('stripe', 'paddle', 'polar'));
