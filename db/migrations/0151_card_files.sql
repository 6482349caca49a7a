-- Files of the cards of a carousel, by card: keys of the storage, and Meta's ids of the uploaded copies. Null without cards.
alter table templates add column card_files text[];
alter table campaigns add column card_files text[];
alter table campaigns add column card_media_ids text[];
