-- One uploaded card for each currency and day. The built-in card may have an uploaded one of its day beside it.
create unique index meta_rate_cards_uploaded on meta_rate_cards (currency, effective_from) where file_name is not null;
