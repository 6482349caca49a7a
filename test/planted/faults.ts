import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLUSTER_FAULTS } from './cluster.ts'
import type { PlantedFault } from './fault.ts'
import { FILE_FAULTS } from './files.ts'
import { LIMIT_FAULTS } from './limits.ts'
import { PASSED_ON_FAULTS } from './money/passed-on.ts'
import { PAYMENT_FAULTS } from './money/payments.ts'
import { REPLY_FAULTS } from './money/replies.ts'
import { STATEMENT_FAULTS } from './money/statements.ts'
import { NETWORK_FAULTS } from './network.ts'
import { PEOPLE_FAULTS } from './people.ts'
import { PROGRAM_FAULTS } from './programs.ts'
import { RATE_FAULTS } from './rates.ts'
import { SENDING_FAULTS } from './sending.ts'
import { SETTLEMENT_FAULTS } from './settlement.ts'
import { SINGLE_MESSAGE_FAULTS } from './single-messages.ts'
import { STATUS_UPDATE_FAULTS } from './status-updates.ts'
import { YEARS_FAULTS } from './years.ts'

export const PLANTED_FAULTS: readonly PlantedFault[] = [
	...SENDING_FAULTS,
	...CLUSTER_FAULTS,
	...FILE_FAULTS,
	...LIMIT_FAULTS,
	...NETWORK_FAULTS,
	...SETTLEMENT_FAULTS,
	...PASSED_ON_FAULTS,
	...STATUS_UPDATE_FAULTS,
	...SINGLE_MESSAGE_FAULTS,
	...PEOPLE_FAULTS,
	...PROGRAM_FAULTS,
	...STATEMENT_FAULTS,
	...YEARS_FAULTS,
	...RATE_FAULTS,
	...REPLY_FAULTS,
	...PAYMENT_FAULTS,
]

/** Returns the fault's file with the fault planted. Throws unless the file contains its text exactly once. */
export function withFault({ name, file, text, replacement }: PlantedFault, root: string): string {
	const source = readFileSync(join(root, file), 'utf8')
	const count = source.split(text).length - 1
	if (count !== 1) throw new Error(`the text of the fault "${name}" occurs ${count} times in ${file}`)
	return source.replace(text, () => replacement)
}
