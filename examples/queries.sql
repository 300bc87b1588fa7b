-- Questions to a finished run, for DuckDB 1.1 or later, from the root of the repository:
--
--   go run ./cmd/winnow run --extractors winnow,plain,bte --scorers vec,str --texts parquet --out out/queries examples/crawl.warc.gz
--   duckdb < examples/queries.sql
--
-- docs/reference/tables.md describes the columns.

set variable run = 'out/queries';
create view pages     as from read_parquet(getvariable('run') || '/pages/*.parquet');
create view documents as from read_parquet(getvariable('run') || '/documents/*.parquet');
create view scores    as from read_parquet(getvariable('run') || '/scores/*.parquet');
create view texts     as from read_parquet(getvariable('run') || '/texts/*.parquet');
create view packages  as from read_parquet(getvariable('run') || '/packages.parquet');
create view speed     as from read_parquet(getvariable('run') || '/speed.parquet');
create view failures  as from read_parquet(getvariable('run') || '/failures.parquet');

-- Which extractor is best, each package counting once?
select extractor, scorer, round(avg(mean_f1), 3) as f1, sum(scored) as pages
from packages where page_type is null group by all order by scorer, f1 desc;

-- On which pages does winnow lose most to another extractor?
select w.package, w.doc_id, o.extractor, round(w.f1, 3) as winnow, round(o.f1, 3) as other
from scores w join scores o using (package, doc_id, scorer)
where w.extractor = 'winnow' and o.extractor <> 'winnow' and w.scorer = 'vec' and o.f1 > w.f1 + 0.01
order by o.f1 - w.f1 desc limit 10;

-- How much text of each host is kept?
select p.site, count(*) as pages, round(sum(w.text_chars) / sum(a.text_chars), 3) as kept
from documents w
join documents a on a.package = w.package and a.doc_id = w.doc_id and a.extractor = 'plain'
join pages p on p.package = w.package and p.doc_id = w.doc_id
where w.extractor = 'winnow' group by 1 order by 3;

-- Which pages say that they are not to be indexed or not to be mined?
select url, robots, tdm_reservation from pages where noindex or tdm_reservation;

-- Which texts are there more than once?
select text_hash, list(package || '/' || doc_id) as pages
from documents where extractor = 'winnow' and text_chars > 200 group by 1 having count(*) > 1;

-- What does a page cost, and what takes longest?
select extractor, count(*) as pages, round(avg(extract_ns) / 1e3) as mean_us, round(quantile_cont(extract_ns, 0.99) / 1e3) as p99_us
from documents group by 1 order by 3 desc;

-- What was refused or lost?
select stage, reason, severity, count(*) as records from failures group by all order by 4 desc;

-- The longest texts, as one would export them:
--   copy (select url, text from texts where extractor = 'winnow') to 'texts.parquet';
select url, length(text) as chars from texts where extractor = 'winnow' order by 2 desc limit 5;
