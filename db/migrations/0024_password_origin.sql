-- Who chose a user's password: 'self'; 'admin', who knows it until its user changes it; or 'nobody', while only a mailed link
-- lets one be chosen. What was there before is taken for the users' own, as nobody wrote it down.
alter table users add column password_from text not null default 'self';
