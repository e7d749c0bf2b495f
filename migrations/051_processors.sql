-- Up Migration

-- The payment processor of a customer and of its subscriptions.
alter table customer add column processor text not null default 'stripe' check (processor in ('stripe', 'paddle', 'polar'));
