import type { NewContact } from '#features/contacts/server/contacts/queries.ts'

const FIRST_NAMES =
	'Aarav Aditi Akash Amit Ananya Anil Anjali Arjun Asha Bhavna Chetan Deepa Dev Divya Farhan Gauri Geeta Harish Imran Isha Jaya Karan Kavita Kiran Lakshmi Lata Manish Meena Mohan Nandini Neha Nikhil Nisha Pooja Pradeep Priya Rahul Rajesh Rekha Ritu Rohit Sanjay Sara Seema Shreya Sunita Suresh Tanvi Usha Varun Vidya Vijay Yash Zoya'.split(
		' ',
	)
const LAST_NAMES =
	'Agarwal Bhat Chopra Das Desai Deshmukh Fernandes Gupta Iyer Jadhav Jain Joshi Kapoor Khan Kulkarni Kumar Malhotra Mehta Menon Mishra Nair Naidu Patel Pillai Rao Reddy Saxena Shah Sharma Shinde Singh Sinha Thomas Trivedi Varma Yadav'.split(
		' ',
	)

/**
 * Returns contacts with Indian names. Their numbers start with 91 5550, which is no subscriber range, so that none of them
 * reaches a real person.
 */
export function demoPeople(count: number, groupOf: (index: number) => number | null): NewContact[] {
	return Array.from({ length: count }, (_, index) => ({
		// Steps that are coprime to the lists' lengths mix first and last names without a random generator.
		firstName: FIRST_NAMES[(index * 17) % FIRST_NAMES.length] ?? 'Asha',
		lastName: index % 11 === 0 ? null : (LAST_NAMES[(index * 7) % LAST_NAMES.length] ?? 'Rao'),
		number: `915550${String(200_000 + index * 37).padStart(6, '0')}`,
		groupId: groupOf(index),
	}))
}
