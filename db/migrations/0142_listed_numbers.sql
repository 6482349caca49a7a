-- The number with which a message was listed, when its recipient has changed the number before it was sent; null for any other.
alter table campaign_messages add column listed_number text;
