-- When, where and with which words people agreed to be written to. One row for all contacts of an upload.
create table consents (
	account_id bigint not null,
	id bigint not null generated always as identity,
	source text not null,
	words text not null,
	agreed_on date not null,
	constraint consents_key primary key (account_id, id)
);
create index consents_day on consents (account_id, agreed_on);

-- Without a foreign key: on a distributed database the new table is not distributed yet.
alter table contacts add column consent_id bigint;
create index contacts_consent on contacts (account_id, consent_id) where consent_id is not null;
