import type { Control } from './control.ts'
import { accountControl } from './control/accounts.ts'
import { countControl, faultControl, webhookControl } from './control/network.ts'
import { templateControl } from './control/templates.ts'
import { listen } from './http/server.ts'
import { replyNowAndThen } from './network/replies.ts'
import { resumeReviews } from './network/review.ts'
import type { StatusPlan } from './network/status-plan.ts'
import { createWorld, restoreWorld, type World } from './world.ts'

export type { StatusPlan } from './network/status-plan.ts'
export type { Control, Credentials } from './control.ts'

export interface SimulatorOptions {
	/** 0, the default, takes any free port. */
	port?: number
	host?: string
	/** Where accounts, templates, files and messages are kept; in memory only when left out. */
	stateDir?: string
	statuses?: Partial<StatusPlan>
	reviewDelayMs?: number
}

export interface Simulator {
	url: string
	control: Control
	close(): Promise<void>
}

/** Starts a WhatsApp network: Meta's Graph API and its webhooks, with customers who receive, read and answer. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const world = createWorld(options)
	await restoreWorld(world)
	resumeReviews(world)
	replyNowAndThen(world)
	const control = controlOf(world)
	const listener = await listen(world, control, { port: options.port ?? 0, host: options.host ?? '127.0.0.1' })
	world.listener = listener
	const close = async (): Promise<void> => {
		const closed = listener.close()
		world.wheel.clear()
		world.answerWheel.clear()
		await world.outbox.close()
		await closed
		world.journal.close()
	}
	return { url: listener.url, control, close }
}

function controlOf(world: World): Control {
	return {
		...accountControl(world),
		...templateControl(world),
		...faultControl(world),
		...countControl(world),
		...webhookControl(world),
	}
}
