import { useRouter } from '@tanstack/react-router'
import { useMode, useUser } from '../api/use-florin.ts'
import { type Section, visibleSections } from './navigation.ts'

/** The sections that this person sees, of the pages that exist. */
export function useSections(): Section[] {
  const user = useUser()
  const mode = useMode()
  const hasPage = useHasPage()
  return visibleSections(user, mode, hasPage)
}

export function useHasPage(): (path: string) => boolean {
  const { routesByPath } = useRouter()
  return (path) => Object.hasOwn(routesByPath, path)
}
