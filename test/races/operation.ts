import type { Claimed, Scene, Target } from './scene.ts'

/** Messages that an operation has promised to send. */
export interface Order {
	campaignId: number
	numbers: readonly string[]
}

/** Result of an operation that ran in parallel with another. */
export interface Ran {
	/** Undefined after a refusal. */
	order: Order | undefined
	isRefused: boolean
	/** Time of its end, by `tick`. */
	endTick: number
	beside: Operation
}

/** An operation that is ready to run in its scene. */
export interface Begun {
	/**
	 * Calls the product as its routes and workers do. Returns the promised messages; undefined when the operation
	 * orders none. A refusal is an `AppError`.
	 */
	run(): Promise<Order | undefined>
	/** Returns this operation's broken promises, once both operations have ended and all messages are sent. */
	check?(ran: Ran): Promise<string[]> | string[]
}

export interface Operation {
	name: string
	/** Kinds of campaigns that the operation may act on; none if it needs no campaign or creates its own. */
	targets?: readonly Target[]
	begin(scene: Scene, target: Target): Promise<Begun> | Begun
	/**
	 * True if an order in parallel with this operation may stay unsent, because the operation pauses or ends campaigns.
	 */
	stops?: boolean
	/** True if an order in parallel with this operation may leave people out. */
	leavesOut?: boolean
	/** True if this operation lets a campaign or a person continue that another operation has stopped. */
	undoes?: boolean
	/** True if this operation orders messages. */
	orders?: boolean
}

/** Returns an operation without promises of its own. `campaignId` is 0 if it has no targets. */
export function step(
	name: string,
	work: (scene: Scene, campaignId: number) => Promise<unknown>,
	further: Omit<Operation, 'name' | 'begin'> = {},
): Operation {
	return {
		name,
		...further,
		async begin(scene, target) {
			const campaignId = further.targets ? await scene.campaign(target) : 0
			return { run: () => work(scene, campaignId).then(() => undefined) }
		},
	}
}

/** Returns status updates on claimed messages, as the network sends them. */
export function statusUpdatesOn(claims: readonly Claimed[], wamidOf: (message: Claimed['message']) => string) {
	return claims.map(({ message }) => ({
		id: wamidOf(message),
		status: 'delivered',
		recipient_id: message.number,
		timestamp: String(Math.floor(Date.now() / 1000)),
	}))
}
