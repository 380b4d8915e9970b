"""The file types of ripgrep by name patterns, for all its versions together."""

from typing import Final

__all__ = ["TYPES"]

TYPES: Final = {
    kind: tuple(patterns.split())
    for kinds, patterns in {
        "c": "*.[chH] *.[chH].in *.cats",
        "clojure": "*.clj *.cljc *.cljs *.cljx *.cljd *.edn",
        "cmake": "*.cmake CMakeLists.txt",
        "cpp": "*.[ChHi]* *.cc *.cc.in *.[ch]pp* *.[ch]xx* *.hh *.hh.in *.inl",
        "cs csharp": "*.cs",
        "css": "*.css *.scss",
        "csv": "*.csv",
        "dart": "*.dart",
        "docker": "*Dockerfile* *Containerfile*",
        "dockercompose": "docker-compose*.yml docker-compose*.yaml compose*.yml compose*.yaml",
        "elixir": "*.ex *.eex *.exs *.heex *.leex *.livemd",
        "erlang": "*.erl *.hrl",
        "fish": "*.fish",
        "go": "*.go",
        "gradle": "*.gradle *.gradle.kts gradle.properties gradle-wrapper.* gradlew* *.gradlew",
        "graphql": "*.graphql *.graphqls",
        "groovy": "*.groovy *.gradle",
        "h": "*.h *.hh *.hpp",
        "haskell hs": "*.hs *.lhs *.cpphs *.c2hs *.hsc",
        "html": "*.htm *.html *.ejs",
        "java": "*.java *.jsp *.jspx *.properties",
        "jinja": "*.j2 *.jinja *.jinja2",
        "js": "*.js *.jsx *.vue *.cjs *.mjs",
        "json": "*.json composer.lock *.sarif",
        "jsonl": "*.jsonl",
        "julia jl": "*.jl",
        "kotlin": "*.kt *.kts",
        "less": "*.less",
        "lua": "*.lua",
        "markdown md": "*.markdown *.md *.mdown *.mdwn *.mkd *.mkdn *.mdx",
        "nix": "*.nix",
        "ocaml": "*.ml *.mli *.mll *.mly",
        "php": "*.php* *.pht *.phtml",
        "protobuf": "*.proto",
        "py python": "*.py *.pyi",
        "r": "*.R *.r *.Rmd *.rmd *.Rnw *.rnw",
        "rst": "*.rst",
        "ruby": "*.rb *.rbw *.gemspec config.ru Gemfile .irbrc Rakefile",
        "rust": "*.rs",
        "sass": "*.sass *.scss",
        "scala": "*.scala *.sbt *.sc",
        "solidity": "*.sol",
        "sql": "*.sql *.psql",
        "svelte": "*.svelte *.svelte.ts",
        "svg": "*.svg",
        "swift": "*.swift",
        "tf terraform": "*.tf *.tf.json *.tfvars *.tfvars.json *.terraformrc terraform.rc *.tfrc"
        " *.tofu *.terraform.lock.hcl",
        "toml": "*.toml Cargo.lock",
        "ts typescript": "*.ts *.tsx *.cts *.mts",
        "txt": "*.txt",
        "vue": "*.vue",
        "xml": "*.xml *.xml.dist *.dtd *.xsl *.xslt *.xsd *.xjb *.rng *.sch *.xhtml",
        "yaml": "*.yaml *.yml",
        "zig": "*.zig *.zon",
    }.items()
    for kind in kinds.split()
}
"""The patterns of each type's names; a type that does not stand here is not known."""
