import type { PastCampaign } from './history.ts'

/** The account of another user, shown on the admin's screens. */
export interface Business {
	name: string
	email: string
	/** Business name at WhatsApp. */
	brand: string
	joinedDaysAgo: number
	groups: { name: string; description: string; size: number }[]
	recharges: { daysAgo: number; amountPaise: number; notes: string }[]
	campaigns: PastCampaign[]
	prices?: { marketingPaise: number; utilityPaise: number }
	/** Set if the account cannot send: the reason, and the number of days since then. */
	stopped?: { reason: string; daysAgo: number }
	/** Set if the user is deactivated: the number of days since then. */
	deactivatedDaysAgo?: number
	/** True if the user has no WhatsApp credentials yet. */
	isNew?: boolean
}

const OFFER = 'seasonal_offer'
const REMINDER = 'appointment_reminder'

/** Returns campaigns on these days (as days ago). Names and groups are used in rotation. */
function series(days: number[], names: string[], of: { template: string; groups: string[] }): PastCampaign[] {
	return days.map((daysAgo, index) => ({
		daysAgo,
		name: names[index % names.length] ?? 'Campaign',
		template: of.template,
		group: of.groups[index % of.groups.length] ?? '',
	}))
}

/** The businesses in the order in which they joined. */
export const BUSINESSES: Business[] = [
	{
		name: 'Priya Joshi',
		email: 'priya@brightminds.example',
		brand: 'Bright Minds Academy',
		joinedDaysAgo: 88,
		groups: [
			{ name: 'Parents', description: 'One number for each family', size: 900 },
			{ name: 'Former students', description: 'Asked for news of courses', size: 500 },
		],
		recharges: [
			{ daysAgo: 29, amountPaise: 600_000, notes: 'NEFT' },
			{ daysAgo: 9, amountPaise: 400_000, notes: 'NEFT' },
		],
		campaigns: [
			...series([28, 24, 20, 16, 12, 8, 3], ['Parents meeting', 'Fee reminder', 'Exam timetable'], {
				template: REMINDER,
				groups: ['Parents'],
			}),
			...series([26, 18, 11, 5], ['Winter course', 'Early bird admission'], {
				template: OFFER,
				groups: ['Former students'],
			}),
		].toSorted((a, b) => b.daysAgo - a.daysAgo),
		prices: { marketingPaise: 85, utilityPaise: 20 },
	},
	{
		name: 'Sanjay Gupta',
		email: 'sanjay@guptaelectronics.example',
		brand: 'Gupta Electronics',
		joinedDaysAgo: 75,
		groups: [{ name: 'Warranty holders', description: 'Bought within two years', size: 160 }],
		recharges: [{ daysAgo: 28, amountPaise: 50_000, notes: 'Cash at the office' }],
		campaigns: series([27, 22], ['Diwali offers', 'Clearance sale'], { template: OFFER, groups: ['Warranty holders'] }),
		deactivatedDaysAgo: 15,
	},
	{
		name: 'Kabir Rao',
		email: 'kabir@spiceroute.example',
		brand: 'Spice Route Kitchen',
		joinedDaysAgo: 61,
		groups: [
			{ name: 'Regulars', description: 'Three orders or more', size: 240 },
			{ name: 'Party orders', description: 'Asked for catering', size: 70 },
		],
		recharges: [{ daysAgo: 28, amountPaise: 300_000, notes: 'UPI' }],
		campaigns: series([27, 21, 17, 13, 10, 7, 4, 2, 0.1], ['Weekend thali', 'Family feast', 'Festival menu'], {
			template: OFFER,
			groups: ['Regulars', 'Party orders'],
		}),
	},
	{
		name: 'Dr. Anita Desai',
		email: 'anita@sunriseclinic.example',
		brand: 'Sunrise Clinic',
		joinedDaysAgo: 47,
		groups: [{ name: 'Patients', description: 'Gave their number at the reception', size: 210 }],
		recharges: [{ daysAgo: 26, amountPaise: 100_000, notes: 'Paid by bank transfer' }],
		campaigns: series([25, 23, 19, 15, 12, 9, 6, 5, 3], ['Check-up reminder', 'Vaccination day', 'New clinic hours'], {
			template: REMINDER,
			groups: ['Patients'],
		}),
		prices: { marketingPaise: 100, utilityPaise: 25 },
	},
	{
		name: 'Imran Khan',
		email: 'imran@metromotors.example',
		brand: 'Metro Motors',
		joinedDaysAgo: 33,
		groups: [{ name: 'Service customers', description: 'Had a car serviced here', size: 320 }],
		recharges: [{ daysAgo: 25, amountPaise: 200_000, notes: 'UPI' }],
		campaigns: series([24, 18, 11, 6], ['Monsoon check', 'Service camp'], {
			template: OFFER,
			groups: ['Service customers'],
		}),
		stopped: {
			reason: 'WhatsApp refuses the access token: it has expired. Enter a new one under Manage Key.',
			daysAgo: 2,
		},
	},
	{
		name: 'Lata Nair',
		email: 'lata@keralaspa.example',
		brand: 'Kerala Spa Retreats',
		joinedDaysAgo: 20,
		groups: [{ name: 'Guests', description: 'Stayed within the last year', size: 150 }],
		recharges: [{ daysAgo: 15, amountPaise: 45_500, notes: 'UPI' }],
		campaigns: series([14, 8, 1], ['Monsoon retreat', 'Weekend package'], { template: OFFER, groups: ['Guests'] }),
	},
	{
		name: 'Nisha Patel',
		email: 'nisha@patelsweets.example',
		brand: 'Patel Sweets',
		joinedDaysAgo: 1,
		groups: [],
		recharges: [],
		campaigns: [],
		isNew: true,
	},
]
