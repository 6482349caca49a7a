import type { PlantedFault } from './fault.ts'

/** Statements that run on one server and that Citus refuses. */
export const CLUSTER_FAULTS: readonly PlantedFault[] = [
	{
		name: 'no account can be created on a cluster',
		file: 'src/features/auth/server/queries.ts',
		text: '${person.passwordHash}, ${person.from}\n\t\t)\n\t\treturning id',
		replacement:
			'${person.passwordHash}, ${person.from}\n\t\t)\n\t\treturning id, (select count(*) from accounts) as accounts',
		tests: ['src/features/users/server/manage.test.ts'],
	},
	{
		name: 'no campaign starts on a cluster',
		file: 'src/features/delivery/server/lifecycle/transition-queries.ts',
		text: '< ${staleBefore}::timestamptz)',
		replacement: "< ${at}::timestamptz - interval '25 days')",
		tests: ['src/features/delivery/server/lifecycle/opener.test.ts'],
	},
]
