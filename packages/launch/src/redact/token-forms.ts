/**
 * The sets of characters of which tokens consist. `dotted` and `word` include `-` and `_`, and `base64` also includes
 * `+ / =`.
 */
export type TokenAlphabet = "alnum" | "upper" | "hex" | "word" | "dotted" | "base64";

/** The form of a service's tokens: their prefix, and the minimum number of characters after it. */
export interface TokenForm {
  readonly service: string;
  /** Beginnings, separated by spaces. */
  readonly prefixes: string;
  readonly alphabet: TokenAlphabet;
  readonly length: number;
  /**
   * Whether package names have this prefix, too, so that the rest must contain three digits or 20 letters and digits in
   * a row.
   */
  readonly ambiguous?: true;
}

// @__NO_SIDE_EFFECTS__
const form = (service: string, prefixes: string, alphabet: TokenAlphabet, length: number): TokenForm => ({
  service,
  prefixes,
  alphabet,
  length,
});

/**
 * The forms of well-known tokens. A launch's digest depends on this table, so the table changes only with the lock's
 * version. A table from a dependency could change with each release, which would cause drift in every lock.
 *
 * Sources: G, gitleaks' rules (config/gitleaks.toml, July 2026); S, the recommended preset of secretlint 12; V, the
 * vendor's documentation. Lengths are minimums, which are below those that each source states, to cover older and newer
 * tokens.
 */
export const TOKEN_FORMS: readonly TokenForm[] = [
  // Cloud: G and S.
  form("AWS", "AKIA ASIA ABIA ACCA", "upper", 16),
  form("AWS Bedrock", "ABSK bedrock-api-key-", "base64", 60),
  form("Google", "AIza GOCSPX-", "word", 20),
  form("Google OAuth", "ya29.", "dotted", 16),
  form("Alibaba Cloud", "LTAI", "alnum", 20),
  form("DigitalOcean", "dop_v1_ doo_v1_ dor_v1_", "hex", 32),
  form("Fly.io", "fo1_ fm1r_ fm1a_ fm2_", "base64", 40),
  form("Heroku", "HRKU-", "word", 30),
  form("Netlify", "nfp_", "alnum", 30),
  form("PlanetScale", "pscale_tkn_ pscale_oauth_ pscale_pw_", "dotted", 30),
  form("Supabase", "sbp_ sb_secret_", "word", 20),
  form("Tailscale", "tskey-", "word", 20),
  form("HashiCorp Vault", "hvs. hvb. hvr.", "word", 20),
  form("Doppler", "dp.pt. dp.st. dp.ct. dp.sa.", "alnum", 30),
  form("Pulumi", "pul-", "hex", 40),
  form("Databricks", "dapi", "hex", 32),
  form("OpenShift", "sha256~", "word", 40),
  form("1Password", "ops_eyJ", "base64", 60),
  form("age", "AGE-SECRET-KEY-1", "upper", 40),
  // Code and packages: G and S.
  form("GitHub", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_", "word", 16),
  form("GitLab", "glpat- gldt- glrt- glptt- glcbt- glft- glimt- glagent- gloas- glsoat- glffct- glrtr-", "dotted", 16),
  form("npm", "npm_", "alnum", 30),
  form("PyPI", "pypi-AgE", "word", 30),
  form("RubyGems", "rubygems_", "hex", 40),
  form("Docker", "dckr_pat_ dckr_oat_", "word", 16),
  form("Artifactory", "AKCp cmVmd", "alnum", 59),
  form("Sourcegraph", "sgp_", "word", 40),
  form("Linear", "lin_api_ lin_oauth_", "alnum", 20),
  form("Atlassian", "ATATT3 ATCTT3 ATBB", "base64", 30),
  form("Figma", "figd_", "word", 20),
  form("Notion", "ntn_ secret_", "alnum", 40),
  form("Postman", "PMAK-", "word", 40),
  form("Sentry", "sntrys_ sntryu_", "base64", 30),
  form("Grafana", "glsa_ glc_", "base64", 30),
  form("New Relic", "NRAK-", "upper", 20),
  form("Prefect", "pnu_", "alnum", 36),
  form("Octopus Deploy", "API-", "upper", 26),
  form("Contentful", "CFPAT-", "word", 30),
  // Models: G and V.
  form("Anthropic", "sk-ant-", "word", 8),
  form("OpenAI", "sk-proj- sk-svcacct- sk-admin-", "word", 16),
  form("OpenRouter", "sk-or-v1-", "hex", 32),
  form("Hugging Face", "hf_ api_org_", "alnum", 16),
  form("Groq", "gsk_", "alnum", 20),
  form("xAI", "xai-", "alnum", 20),
  form("Perplexity", "pplx-", "alnum", 20),
  form("Replicate", "r8_", "alnum", 30),
  form("NVIDIA", "nvapi-", "word", 40),
  form("Cerebras", "csk-", "alnum", 30),
  form("LangSmith", "lsv2_pt_ lsv2_sk_", "word", 30),
  form("Pinecone", "pcsk_", "word", 30),
  // Search and browsing for agents: V.
  form("Tavily", "tvly-", "word", 16),
  form("Firecrawl", "fc-", "hex", 32),
  form("Jina", "jina_", "alnum", 30),
  form("Apify", "apify_api_", "alnum", 30),
  form("Context7", "ctx7sk-", "word", 20),
  form("E2B", "e2b_", "alnum", 30),
  // Messages and payments: G and S.
  form("Slack", "xoxa- xoxb- xoxc- xoxd- xoxe- xoxe.xoxb- xoxe.xoxp- xoxo- xoxp- xoxr- xoxs- xapp-", "word", 10),
  form("SendGrid", "SG.", "dotted", 40),
  form("Brevo", "xkeysib-", "word", 60),
  form("Mailgun", "key-", "hex", 32),
  form("Twilio", "SK", "hex", 32),
  form("Stripe", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", "alnum", 10),
  form("Stripe webhooks", "whsec_", "base64", 16),
  form("Square", "sq0atp- sq0csp-", "word", 20),
  form("Shopify", "shpat_ shpca_ shppa_ shpss_", "hex", 32),
  form("Shippo", "shippo_live_ shippo_test_", "hex", 40),
  form("EasyPost", "EZAK EZTK", "alnum", 54),
  form("Duffel", "duffel_live_ duffel_test_", "word", 40),
  form("PostHog", "phx_", "alnum", 30),
  form("Dynatrace", "dt0c01.", "dotted", 60),
  form("Adobe", "p8e-", "alnum", 32),
  form("Infracost", "ico-", "alnum", 32),
  form("ReadMe", "rdme_", "alnum", 60),
  // Many services: V.
  { ...form("secret keys", "sk- sk_ pk- pk_ rk- rk_", "word", 16), ambiguous: true },
];
