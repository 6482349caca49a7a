/** The expected balances of a wallet, in paise. */
export class ModelWallet {
	available = 0
	/** Money of refunded payments that the wallet could not give back. */
	owed = 0

	/** Adds a recharge, and settles the owed amount from it. */
	payIn(paise: number): void {
		this.available += paise
		this.settleOwed()
	}

	/** Takes back a part of a credit. The part that the wallet cannot pay is owed. */
	takeBack(paise: number): void {
		const taken = Math.min(this.available, paise)
		this.available -= taken
		this.owed += paise - taken
	}

	/** Settles the owed amount as far as the available money suffices. */
	settleOwed(): void {
		const paise = Math.min(this.available, this.owed)
		this.available -= paise
		this.owed -= paise
	}
}
