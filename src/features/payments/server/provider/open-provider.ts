import type { PaymentProvider } from './provider.ts'
import { createRazorpay } from './razorpay.ts'

export interface ProviderEnv {
	RAZORPAY_KEY_ID?: string | undefined
	RAZORPAY_KEY_SECRET?: string | undefined
	RAZORPAY_WEBHOOK_SECRET?: string | undefined
	RAZORPAY_URL: string
}

/** Returns the configured provider; null without its secrets. */
export function openProvider({
	RAZORPAY_KEY_ID: keyId,
	RAZORPAY_KEY_SECRET: keySecret,
	RAZORPAY_WEBHOOK_SECRET: webhookSecret,
	RAZORPAY_URL: url,
}: ProviderEnv): PaymentProvider | null {
	return keyId && keySecret && webhookSecret ? createRazorpay({ url, keyId, keySecret, webhookSecret }) : null
}
