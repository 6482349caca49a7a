-- A campaign whose recipients a program is still adding: it costs nothing, and is not sent, until it is started.
alter table campaigns drop constraint campaigns_status_check;
alter table campaigns add constraint campaigns_status_check
	check (status in ('draft', 'pending', 'processing', 'paused', 'completed', 'cancelled', 'failed'));
