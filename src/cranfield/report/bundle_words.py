"""What a bundle says of itself."""

README = """# A comparison of search runs, packed

{n} run(s) held against the base {base}. Open `comparison/report.html` in a browser to read it.

| where | what |
|---|---|
| `bundle.json` | measures, choices, seeds, versions, and sha256 and size of every file |
| `qrels/` or `collection/` | the judgments, byte for byte as they were given |
| `queries/` | queries with their fields, where they were given |
| `runs/000/` | the base; `runs/001/` and on: the runs in their order, each with its card |
| `scores/by-query.tsv`, `.json` | the score of every query, run and measure, exactly |
| `scores/means.tsv` | the means, each with its number of queries |
| `comparison/figures.tsv` | differences, intervals, p, verdicts |
| `comparison/comparison.json` | the same with cautions, pairs and both result lists |
| `comparison/report.html`, `.md` | the report |

Texts of documents are not packed, except the beginnings shown in the report.

## To check it

    pip install cranfield
    cranfield bundle --check THIS.zip

verifies every sha256, computes the scores and the comparison again from the judgments and runs
inside, and says whether they are the same. The files are plain TREC, TSV and JSON: any other tool
can score them too.
"""
