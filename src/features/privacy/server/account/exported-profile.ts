import { listFixedPrices, type AccountList } from './account-queries.ts'

/** Single rows of an account, which become the parts of `profile.json` with these names. */
export const PROFILE: Readonly<Record<string, AccountList>> = {
	user: {
		table: 'users',
		key: 'id',
		columns: {
			name: 'name',
			email: 'email',
			role: 'role',
			createdAt: 'created_at',
			businessName: 'business_name',
			businessAddress: 'business_address',
			businessState: 'business_state',
			gstin: 'gstin',
		},
	},
	wallet: {
		table: 'wallets',
		key: 'account_id',
		columns: { availablePaise: 'available_paise', heldPaise: 'held_paise', lowBalancePaise: 'low_balance_paise' },
	},
	prices: {
		table: 'prices',
		key: 'account_id',
		columns: {
			marketingPaise: 'marketing_paise',
			utilityPaise: 'utility_paise',
			authenticationPaise: 'authentication_paise',
			servicePaise: 'service_paise',
			otherCountries: 'abroad_rule',
			fixedPrices: listFixedPrices,
		},
	},
	whatsapp: {
		table: 'senders',
		key: 'account_id',
		columns: {
			number: 'display_phone_number',
			phoneNumberId: 'phone_number_id',
			businessAccountId: 'waba_id',
			name: 'verified_name',
			businessName: 'business_name',
		},
	},
	sendingRules: {
		table: 'sending_rules',
		key: 'account_id',
		columns: {
			maxMarketingMessages: 'max_messages',
			inDays: 'in_days',
			quietFrom: 'quiet_from::text',
			quietUntil: 'quiet_until::text',
			marketingRoute: "coalesce(marketing_route, 'automatic')",
			sharesActivity: 'coalesce(shares_activity, false)',
		},
	},
	chatSettings: {
		table: 'chat_settings',
		key: 'account_id',
		columns: {
			confirmsOptOut: 'confirms_opt_out',
			optOutText: 'opt_out_text',
			optInText: 'opt_in_text',
			optOutWords: 'opt_out_words',
			optOutButtons: 'opt_out_buttons',
		},
	},
	automaticReplies: {
		table: 'automatic_reply_settings',
		key: 'account_id',
		columns: { isOn: 'is_on', businessHours: 'hours' },
	},
}
