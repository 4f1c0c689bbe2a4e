import { useRouter } from '@tanstack/react-router'
import { queryClient } from '../api/use-florin.ts'

/** Clears the cache and goes to the login page. */
export function useGoToLogin(): () => Promise<void> {
  const router = useRouter()
  return async () => {
    queryClient.clear()
    await router.navigate({ to: '/login', search: {} })
  }
}
