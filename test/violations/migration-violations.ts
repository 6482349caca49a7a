/** Migrations that break a rule, each with a part of the message. */
export const migrationViolations = [
	{
		path: 'db/migrations/0998_actions.sql',
		text: 'alter table contacts add column a text, add column b numeric(1, 2);\n',
		message: /One action for each ALTER TABLE/,
	},
	{
		path: 'db/migrations/0997_checked.sql',
		text: 'alter table contacts add column age integer\n\tcheck (age > 0);\n',
		message: /ADD COLUMN without a constraint/,
	},
	{
		path: 'db/migrations/0996_unnamed.sql',
		text: 'create table pets (\n\tid bigint primary key,\n\tname text\n);\n',
		message: /Give each constraint a name/,
	},
	{
		path: 'db/migrations/0995_trigger.sql',
		text: 'create trigger t before update on pets execute function f();\n',
		message: /take no triggers/,
	},
	...[
		'alter table contacts drop column age',
		'drop table if exists pets',
		'alter table contacts rename column age to years',
		'alter table contacts rename to people',
		'alter table contacts alter column age type bigint',
		'alter table contacts alter column age drop default',
		'alter table contacts alter column age set not null',
	].map((text, index) => ({
		path: `db/migrations/099${index}_contract.sql`,
		text: `-- Ages.\n${text};\n`,
		message: /The release before reads and writes this/,
	})),
]

/** Migrations that resemble violations and are allowed. */
export const allowedMigrations = [
	{
		path: 'db/migrations/0994_fine.sql',
		text: `create table pets (
	account_id bigint not null constraint pets_account references accounts (id),
	id bigint generated always as identity,
	-- "unique" in a comment is none.
	age integer constraint pets_age check (age in (1, 2)),
	constraint pets_key primary key (account_id, id),
	constraint pets_owner foreign key (account_id, id) references contacts (account_id, id)
);
alter table pets add constraint pets_young check (age < 30);
`,
	},
	{
		path: 'db/migrations/0993_taken_away.sql',
		text: '-- contract: 1.4 reads contacts.years instead.\nalter table contacts drop column age;\n',
	},
	{
		path: 'db/migrations/0992_expand.sql',
		text: `alter table contacts add column years integer;
update contacts set years = 0;
alter table contacts alter column years set default 0;
alter table contacts alter column years set not null;
create table pets (id bigint constraint pets_key primary key);
drop index contacts_age;
`,
	},
]
