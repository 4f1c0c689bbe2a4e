import { useRouter } from '@tanstack/react-router'
import { useMode, useUser } from '../api/use-florin.ts'
import { pageOfId, requiredPermission, type Section, visibleSections } from './navigation.ts'

/** The navigation sections that the user may see. */
export function useSections(): Section[] {
  const mode = useMode()
  const hasPage = useHasPage()
  return visibleSections(mode, hasPage)
}

/** Whether a page exists and the user has the permission that it needs. */
export function useHasPage(): (path: string) => boolean {
  const { routesByPath } = useRouter()
  const { may } = useUser()
  return (path) => {
    const need = requiredPermission(path)
    return Object.hasOwn(routesByPath, path) && (need === undefined || may.includes(need))
  }
}

/** The page for an id, if the user may open it. */
export function usePageOfId(): (id: string) => string | undefined {
  const hasPage = useHasPage()
  const { account_id } = useUser()
  return (id) => {
    const page = pageOfId(id)
    if (page !== undefined && hasPage(page)) return page
    // Users without access to account pages see their own account under Settings.
    return id === account_id ? '/settings' : undefined
  }
}
