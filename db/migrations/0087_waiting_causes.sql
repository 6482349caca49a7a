-- What the network or its connection said when an outage began, for admins. It counts while waiting_reason is set.
alter table senders add column waiting_cause text;
