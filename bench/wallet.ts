import { loadWallet } from '#test/scenes/wallet-load.ts'

// Measures how many recharges and campaigns per second 64 clients complete on one wallet, and compares the rate with plain
// updates of one row. All clients wait for the same row lock, and a recharge or a campaign runs a dozen statements while it
// holds the lock.

const CLIENTS = 64
/** The clients reach the 500 unfinished campaigns that an account may have after some eight seconds. */
const SECONDS = 6

const load = await loadWallet({ clients: CLIENTS, seconds: SECONDS })
const bare = load.bare.reduce((sum, one) => sum + one, 0) / load.bare.length
console.log(`${CLIENTS} clients on one wallet for ${SECONDS} s`)
console.log(
	`  recharges ${load.recharges}, campaigns ${load.campaigns}, refused for insufficient balance ${load.refused}`,
)
console.log(`  ${load.perSecond.toFixed(0)} transactions/s`)
console.log(`  ${load.bare.map((one) => one.toFixed(0)).join(' and ')} bare updates/s of one row, before and after`)
console.log(`  ratio ${(load.perSecond / bare).toFixed(3)}`)
console.log(
	`  errors ${load.errors.length}, reconciliation findings ${load.findings.length}, lowest balance ${load.lowestPaise} paise`,
)
for (const text of [...new Set(load.errors), ...load.findings].slice(0, 10)) console.log(`  ${text}`)
process.exitCode = load.errors.length + load.findings.length > 0 || load.lowestPaise < 0 ? 1 : 0
