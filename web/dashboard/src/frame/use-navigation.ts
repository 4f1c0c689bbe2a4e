import { useRouter } from '@tanstack/react-router'
import { useMode, useUser } from '../api/use-florin.ts'
import { pageOfId, requiredPermission, type Section, visibleSections } from './navigation.ts'

/** The sections that this person sees, of the pages that exist. */
export function useSections(): Section[] {
  const mode = useMode()
  const hasPage = useHasPage()
  return visibleSections(mode, hasPage)
}

/** Whether a page exists and the server lets this person do what it is for. */
export function useHasPage(): (path: string) => boolean {
  const { routesByPath } = useRouter()
  const { may } = useUser()
  return (path) => {
    const need = requiredPermission(path)
    return Object.hasOwn(routesByPath, path) && (need === undefined || may.includes(need))
  }
}

/** Where an id leads this person, if anywhere. */
export function usePageOfId(): (id: string) => string | undefined {
  const hasPage = useHasPage()
  const { account_id } = useUser()
  return (id) => {
    const page = pageOfId(id)
    if (page !== undefined && hasPage(page)) return page
    // Whoever has one account and no page of accounts finds it under Settings.
    return id === account_id ? '/settings' : undefined
  }
}
