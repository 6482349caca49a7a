import { ready, type ReadyText } from './ready-text.ts'

export const ORDER_TEXTS: readonly ReadyText[] = [
	ready(
		{ key: 'order_confirmed', group: 'order', category: 'UTILITY' },
		{
			title: 'Order confirmed',
			body: 'Hi {{1}}, we have received your order {{2}} of {{3}}.\n\nWe will write to you again when it is on its way. Thank you!',
			examples: ['Asha', '#1042', '₹2,450'],
		},
		{
			title: 'ऑर्डर मिल गया',
			body: 'नमस्ते {{1}} जी, आपका {{3}} का ऑर्डर {{2}} हमें मिल गया है।\n\nभेजते समय हम आपको फिर से लिखेंगे। धन्यवाद!',
			examples: ['आशा', '#1042', '₹2,450'],
		},
	),
	ready(
		{ key: 'order_shipped', group: 'order', category: 'UTILITY' },
		{
			title: 'Order shipped',
			body: 'Hi {{1}}, your order {{2}} is on its way. 📦\n\nIt should reach you by {{3}}. Reply here if you have a question about it.',
			examples: ['Asha', '#1042', 'Friday, 4 December'],
			website: 'Track the order',
		},
		{
			title: 'ऑर्डर भेजा गया',
			body: 'नमस्ते {{1}} जी, आपका ऑर्डर {{2}} भेज दिया गया है। 📦\n\nयह {{3}} तक आपके पास पहुँच जाएगा। कोई सवाल हो तो यहीं जवाब दें।',
			examples: ['आशा', '#1042', 'शुक्रवार, 4 दिसंबर'],
			website: 'ऑर्डर कहाँ है',
		},
	),
	ready(
		{ key: 'ready_for_pickup', group: 'order', category: 'UTILITY' },
		{
			title: 'Ready to collect',
			body: 'Hi {{1}}, your order {{2}} is ready.\n\nYou can collect it at our shop from {{3}}. Please bring this message with you.',
			examples: ['Asha', '#1042', '10 am today'],
		},
		{
			title: 'ले जाने के लिए तैयार',
			body: 'नमस्ते {{1}} जी, आपका ऑर्डर {{2}} तैयार है।\n\nआप इसे {{3}} से हमारी दुकान से ले जा सकते हैं। यह संदेश साथ लाइए।',
			examples: ['आशा', '#1042', 'आज सुबह 10 बजे'],
		},
	),
	ready(
		{ key: 'bill_due', group: 'order', category: 'UTILITY' },
		{
			title: 'Bill due',
			body: 'Dear {{1}}, your bill {{2}} of *{{3}}* is due on {{4}}.\n\nIf you have already paid, please ignore this message. Reply here if anything in the bill is wrong.',
			examples: ['Asha', 'INV-2031', '₹1,850', '30 November'],
		},
		{
			title: 'बिल की देय तिथि',
			body: 'प्रिय {{1}}, आपका *{{3}}* का बिल {{2}} दिनांक {{4}} तक देय है।\n\nयदि आपने भुगतान कर दिया है, तो इस संदेश पर ध्यान न दें। बिल में कुछ ग़लत हो तो यहीं जवाब दें।',
			examples: ['आशा', 'INV-2031', '₹1,850', '30 नवंबर'],
		},
	),
	ready(
		{ key: 'payment_received', group: 'order', category: 'UTILITY' },
		{
			title: 'Payment received',
			body: 'Dear {{1}}, we have received your payment of *{{2}}* on {{3}}. Your balance is now {{4}}.\n\nThank you!',
			examples: ['Asha', '₹1,850', '27 November', '₹0'],
		},
		{
			title: 'भुगतान मिल गया',
			body: 'प्रिय {{1}}, {{3}} को आपका *{{2}}* का भुगतान हमें मिल गया है। अब आपका बकाया {{4}} है।\n\nधन्यवाद!',
			examples: ['आशा', '₹1,850', '27 नवंबर', '₹0'],
		},
	),
]

export const SERVICE_TEXTS: readonly ReadyText[] = [
	ready(
		{ key: 'appointment_reminder', group: 'service', category: 'UTILITY' },
		{
			title: 'Appointment reminder',
			body: 'Hi {{1}}, this is a reminder of your appointment on {{2}} at {{3}}.\n\nPlease tell us if you will come.',
			examples: ['Asha', 'Friday, 4 December', '5:30 pm'],
			replies: ['I will come', 'Change the time'],
		},
		{
			title: 'अपॉइंटमेंट की याद',
			body: 'नमस्ते {{1}} जी, {{2}} को {{3}} आपका अपॉइंटमेंट है।\n\nकृपया बताएँ कि आप आएँगे या नहीं।',
			examples: ['आशा', 'शुक्रवार, 4 दिसंबर', 'शाम 5:30 बजे'],
			replies: ['मैं आऊँगा', 'समय बदलें'],
		},
	),
	ready(
		{ key: 'appointment_booked', group: 'service', category: 'UTILITY' },
		{
			title: 'Appointment booked',
			body: 'Hi {{1}}, your appointment with {{2}} is booked for {{3}}.\n\nReply here if you need another time.',
			examples: ['Asha', 'Dr. Mehta', 'Friday, 4 December, 5:30 pm'],
		},
		{
			title: 'अपॉइंटमेंट पक्का',
			body: 'नमस्ते {{1}} जी, {{2}} के साथ आपका अपॉइंटमेंट {{3}} के लिए पक्का है।\n\nदूसरा समय चाहिए तो यहीं जवाब दें।',
			examples: ['आशा', 'डॉ. मेहता', 'शुक्रवार, 4 दिसंबर, शाम 5:30 बजे'],
		},
	),
	ready(
		{ key: 'table_booked', group: 'service', category: 'UTILITY' },
		{
			title: 'Restaurant: table booked',
			body: 'Hi {{1}}, your table for {{2}} is booked on {{3}}.\n\nWe keep it for 15 minutes. Reply here if your plans change.',
			examples: ['Asha', '4 people', 'Saturday at 8 pm'],
		},
		{
			title: 'रेस्तराँ: टेबल बुक हुई',
			body: 'नमस्ते {{1}} जी, {{2}} के लिए आपकी टेबल {{3}} बुक है।\n\nहम इसे 15 मिनट तक रखते हैं। योजना बदले तो यहीं जवाब दें।',
			examples: ['आशा', '4 लोगों', 'शनिवार रात 8 बजे'],
		},
	),
	ready(
		{ key: 'fee_due', group: 'service', category: 'UTILITY' },
		{
			title: 'Coaching: fee due',
			body: 'Dear parent, the fee of *{{1}}* for {{2}} is due on {{3}}.\n\nPlease pay at the office or by UPI. If you have already paid, ignore this message.',
			examples: ['₹3,500', 'Rohan', '5 December'],
		},
		{
			title: 'कोचिंग: फ़ीस देय',
			body: 'प्रिय अभिभावक, {{2}} की *{{1}}* फ़ीस {{3}} तक देय है।\n\nकृपया कार्यालय में या UPI से भुगतान करें। यदि भुगतान हो चुका है, तो इस संदेश पर ध्यान न दें।',
			examples: ['₹3,500', 'रोहन', '5 दिसंबर'],
		},
	),
	ready(
		{ key: 'class_reminder', group: 'service', category: 'UTILITY' },
		{
			title: 'Coaching: class reminder',
			body: 'Hi {{1}}, your {{2}} class is on {{3}}.\n\nPlease come ten minutes early and bring your notebook.',
			examples: ['Rohan', 'mathematics', 'Monday at 4 pm'],
		},
		{
			title: 'कोचिंग: कक्षा की याद',
			body: 'नमस्ते {{1}}, आपकी {{2}} की कक्षा {{3}} है।\n\nकृपया दस मिनट पहले आइए और अपनी कॉपी साथ लाइए।',
			examples: ['रोहन', 'गणित', 'सोमवार शाम 4 बजे'],
		},
	),
]
