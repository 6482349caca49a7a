-- Who an account's business is to its bookkeeper: name, address and GSTIN, each where given. Receipts keep them as they were.
alter table users add column business_name text;
alter table users add column business_address text;
alter table users add column gstin text;
alter table receipts add column payer_business_name text;
alter table receipts add column payer_business_address text;
alter table receipts add column payer_gstin text;
