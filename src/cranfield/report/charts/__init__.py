"""Charts: numbers with labels first (`data`), drawn as inline SVG where a page is HTML."""
