-- A digest of the file of an order and of the choices about it, to compare a repeated order with. Null for orders of before.
alter table campaigns add column request_digest text;
