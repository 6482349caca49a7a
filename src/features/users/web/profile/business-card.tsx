import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ProfileBody, users, type Business, type Profile } from '#features/users/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { query, queryClient } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { BusinessFields } from '../business-fields.tsx'

/** Renders the form for the business details of an account. */
export function BusinessCard() {
	const profile = useQuery(query(users.me))
	return (
		<Card narrow title="Business details">
			{profile.data && <BusinessForm key={JSON.stringify(detailsOf(profile.data))} profile={profile.data} />}
			{profile.isPending && (
				<div role="status" aria-label="Loading business details">
					<Skeleton height={240} />
				</div>
			)}
			{profile.error && !profile.data && <LoadError message="Unable to load profile" reading={profile} />}
		</Card>
	)
}

type BusinessValues = Business & Pick<Profile, 'name' | 'email'> & Record<string, unknown>

function BusinessForm({ profile }: { profile: Profile }) {
	const { name, email } = profile
	const state = useSchemaForm<BusinessValues, { message: string; user: Profile }>({
		draft: 'business',
		schema: ProfileBody,
		initialValues: { name, email, ...detailsOf(profile) },
		submit: (body) => call(users.updateMe, { body }),
		saved: async ({ message, user }) => {
			queryClient.setQueryData(query(users.me).queryKey, user)
			toast.success(message)
		},
		failed: (error) => toast.failure(error, 'Failed to update profile'),
	})
	return (
		<GuardedForm className="stack" state={state}>
			<BusinessFields form={state.form} autoComplete />
			<SubmitButton busyText="Saving..." w={120}>
				Save
			</SubmitButton>
		</GuardedForm>
	)
}

function detailsOf({ businessName, businessAddress, businessState, gstin }: Business): Business {
	return { businessName, businessAddress, businessState, gstin }
}
