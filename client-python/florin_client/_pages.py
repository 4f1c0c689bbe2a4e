"""Pagination. A page has the entries of one response; iterating over it loads the next pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ._call import Call, without_not_given
from ._errors import FlorinError

Item = TypeVar("Item")

_Load = Callable[[Mapping[str, Any]], Any]


class CursorPage(Generic[Item]):
    """A page with a cursor.

    Entries that are added during an iteration neither repeat nor hide others, and the current entry
    may be removed.
    """

    def __init__(self, call: Call, load: _Load) -> None:
        self._call = call
        self._query = without_not_given(call.query)
        self._load = load
        response = load(self._query)
        self.data: list[Item] = response["data"]
        #: Whether there are more entries in this direction.
        self.has_more: bool = response["has_more"]

    def next_page(self) -> CursorPage[Item] | None:
        if not self.has_more or not self.data:
            return None
        query = {**self._query, **self._next_cursor()}
        call = Call(self._call.method, self._call.path, query, after_field=self._call.after_field)
        return CursorPage(call, self._load)

    def __iter__(self) -> Iterator[Item]:
        """All entries from here on. With `ending_before` or `after` they are oldest first."""
        page: CursorPage[Item] | None = self
        while page is not None:
            entries = page.data[::-1] if "ending_before" in self._query else page.data
            yield from entries[:-1]
            # Loads the next page before it yields the last entry, because the caller may remove
            # that entry, which is the cursor. An error is raised only if the iteration continues.
            failure: FlorinError | None = None
            following: CursorPage[Item] | None = None
            try:
                following = page.next_page()
            except FlorinError as error:
                failure = error
            yield from entries[-1:]
            if failure is not None:
                raise failure
            page = following

    def _next_cursor(self) -> dict[str, Any]:
        after_field = self._call.after_field
        if "after" in self._query and after_field is not None:
            return {"after": _entry(self.data[-1])[after_field]}
        if "ending_before" in self._query:
            return {"ending_before": _cursor_of(self.data[0])}
        return {"starting_after": _cursor_of(self.data[-1])}


def _entry(item: Any) -> dict[str, Any]:
    entry: dict[str, Any] = item
    return entry


def _cursor_of(item: Any) -> Any:
    """Lines of a statement have no id; their cursor is the sequence number."""
    entry = _entry(item)
    return entry.get("id", entry.get("sequence"))


class NumberedPage(Generic[Item]):
    """A numbered page.

    Entries that are added during an iteration may repeat others, and removing entries makes the
    next page skip as many. To remove entries, collect them first.
    """

    def __init__(self, call: Call, load: _Load) -> None:
        self._call = call
        self._query = without_not_given(call.query)
        self._load = load
        response = load(self._query)
        self.data: list[Item] = response["data"]
        #: Lists of users have `total_pages`; lists of accounts have `has_next`.
        self.pagination: dict[str, Any] = response["pagination"]

    def next_page(self) -> NumberedPage[Item] | None:
        page: int = self.pagination["page"]
        has_next = self.pagination.get("has_next", page < self.pagination.get("total_pages", 0))
        if not has_next:
            return None
        query = {**self._query, "page": page + 1}
        return NumberedPage(Call(self._call.method, self._call.path, query), self._load)

    def __iter__(self) -> Iterator[Item]:
        """All entries from here on."""
        page: NumberedPage[Item] | None = self
        while page is not None:
            yield from page.data
            page = page.next_page()
