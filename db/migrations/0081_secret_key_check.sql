-- A constant, encrypted with SECRET_KEY: a process whose key does not open it does not start.
alter table installation add column key_check bytea;
