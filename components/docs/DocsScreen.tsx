/**
 * Explains how to use this node from your own programs. The most common tasks come first, with links to the related
 * pages.
 */
import type { ReactNode } from "react";
import { ScriptText } from "@/components/atoms/ScriptText";
import { Snippet } from "@/components/atoms/Snippet";
import { Url } from "@/components/atoms/Url";
import { AppLink } from "@/components/layout/AppLink";
import { Sheet } from "@/components/layout/Sheet";
import { expressInstall, expressRun, toExpressCode } from "@/components/payments/sellerCode";
import { toCurlExample } from "@/lib/curlExample";
import { toHomePath, toPaymentsPagePath, toPlaygroundPath, toSectionPath } from "@/lib/links";
import { type PageNetwork, toRpcPath } from "@/lib/networks";
import { docsTopics } from "@/lib/pages";
import { toBuyerCode } from "./buyerCode";
import { TopicList } from "./TopicList";

type Props = { network: PageNetwork; origin: string };

const contents: Record<(typeof docsTopics)[number]["id"], (props: Props) => ReactNode> = {
  call: CallNode,
  pay: Pay,
  sell: Sell,
  test: TestFirst,
  run: Run,
  deploy: Deploy,
  reference: Reference,
};

/** The code, which is a single div, is between the paragraphs or, on the widest screens, beside them. */
const topicClass =
  "[&_a:hover]:decoration-current [&_a]:text-accent [&_a]:decoration-edge [&>ol]:max-w-3xl [&>ol]:leading-6 [&_p]:max-w-3xl [&_p]:text-pretty [&_p]:px-4 [&_p]:py-3 [&_p]:text-14 [&_p]:leading-6 2xl:grid 2xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] 2xl:grid-rows-[auto_1fr] 2xl:gap-x-4 2xl:[&>*]:col-start-1 2xl:[&>div]:col-start-2 2xl:[&>div]:row-span-2 2xl:[&>div]:row-start-1 2xl:[&>div]:my-4 2xl:[&>div]:mr-4 2xl:[&>div]:self-start 2xl:[&>div]:overflow-hidden 2xl:[&>div]:rounded-sm 2xl:[&>ul]:col-span-full";

export function DocsScreen(props: Props) {
  return (
    <>
      <div className="page-title">
        <h1>Docs</h1>
        <p className="text-ink-2">How to use this node from your own programs.</p>
      </div>
      <div className="grid gap-6 xl:grid-cols-[12rem_minmax(0,1fr)]">
        <TopicList topics={docsTopics} />
        <div className="grid min-w-0 gap-6">
          {docsTopics.map(({ id, title }) => {
            const Content = contents[id];
            return (
              <Sheet key={id} id={id} title={title}>
                <div className={topicClass}>
                  <Content {...props} />
                </div>
              </Sheet>
            );
          })}
        </div>
      </div>
    </>
  );
}

const curlComment = `# Returns the latest block number, such as
# {"jsonrpc":"2.0","id":1,"result":"0x2a"}`;

function CallNode({ network, origin }: Props) {
  const url = `${origin}${toRpcPath(network)}`;
  return (
    <>
      <p>
        Every EVM library and tool works with these URLs. The chain ID is {network.chainId}.
        {network.embedded && (
          <>
            {" "}
            The <AppLink href={toSectionPath(network.name, "accounts")}>test accounts</AppLink> are funded, and the
            faucet there funds any other address.
          </>
        )}{" "}
        To add the network to a wallet by hand, use the values under{" "}
        <AppLink href={`${toHomePath(network.name)}#connect`}>Connect to this network</AppLink>.
      </p>
      <div>
        <Snippet isWhole code={url} what="JSON-RPC URL" />
        <div className="border-line border-t">
          <Snippet isWhole code={url.replace(/^http/, "ws")} what="WebSocket URL" />
        </div>
        <div className="border-line border-t">
          <Snippet isWhole code={`${curlComment}\n${toCurlExample(url)}`} what="JSON-RPC example" />
        </div>
      </div>
      <p>
        The <AppLink href={toSectionPath(network.name, "console")}>console</AppLink> documents every method and sends
        requests. Test suites for anvil run unchanged.
        {network.embedded && (
          <>
            {" "}
            The <AppLink href={toSectionPath(network.name, "tools")}>developer tools</AppLink> have buttons for mining,
            time, balances and snapshots.
          </>
        )}
      </p>
    </>
  );
}

function Pay({ network, origin }: Props) {
  return (
    <>
      <p>
        A paid URL returns 402 with its price until the request includes a signed payment. To try it with any x402 v2
        client, use the <AppLink href={toSectionPath(network.name, "resources")}>paid resources</AppLink> on this node.
      </p>
      <div>
        <Snippet isWhole code="npm install @x402/fetch @x402/evm viem" what="install command" />
        <div className="border-line border-t">
          <Snippet isWhole Text={ScriptText} code={toBuyerCode(network, origin)} what="payment example" />
        </div>
        <div className="border-line border-t">
          <Snippet isWhole code="node buyer.mjs" what="run command" />
        </div>
      </div>
      <p>
        The script prints 200 and the resource. The{" "}
        <AppLink href={toSectionPath(network.name, "playground")}>playground</AppLink> shows each step of a payment, and{" "}
        <AppLink href={toPlaygroundPath(network.name, "url")}>Pay any URL</AppLink> does the same for a URL of your
        server.
      </p>
    </>
  );
}

function Sell({ network, origin }: Props) {
  const facilitatorUrl = `${origin}/api/facilitator`;
  const code = `// seller.mjs\n${toExpressCode(facilitatorUrl, network)}`;
  return (
    <>
      <p>
        Point any x402 v2 resource server at this facilitator. It verifies and settles payments with the{" "}
        <code className="mono">exact</code> and <code className="mono">upto</code> schemes.
      </p>
      <div>
        <Snippet isWhole code={facilitatorUrl} what="facilitator URL" />
        <div className="border-line border-t">
          <Snippet isWhole code={expressInstall} what="seller's install command" />
        </div>
        <div className="border-line border-t">
          <Snippet isWhole Text={ScriptText} code={code} what="seller example" />
        </div>
        <div className="border-line border-t">
          <Snippet isWhole code={expressRun} what="seller's run command" />
        </div>
      </div>
      <p>
        The <AppLink href={toPaymentsPagePath(network.name, "facilitator")}>facilitator page</AppLink> has the same
        server with this project’s own package, and shows whether it can settle payments now. The{" "}
        <AppLink href={toSectionPath(network.name, "payments")}>payments page</AppLink> shows each payment with its HTTP
        exchange, and what each resource earned.
      </p>
    </>
  );
}

function TestFirst({ network }: Props) {
  return (
    <>
      <p>
        The <AppLink href={toPlaygroundPath(network.name, "failures")}>failure lab</AppLink> breaks payments on purpose
        and explains each fix. In your test suite, start a node in the test’s own process.
      </p>
      <Snippet
        isWhole
        Text={ScriptText}
        code={`// tollscan isn't on npm yet. In a clone, "npm run pack"
// makes tollscan.tgz. Then: npm install -D ./tollscan.tgz viem
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createTollscan } from "tollscan";
import { createPayFetch } from "tollscan/viem";

// Clients pay in USDC on Base Sepolia
// at their default settings.
const tollscan = await createTollscan({ networks: ["base-sepolia"] });
after(() => tollscan.stop());

test("a paid request settles", async () => {
  const buy = createPayFetch(tollscan);
  const { settlement } = await buy(\`\${tollscan.url}/api/paid/block-digest\`);
  assert.equal(settlement?.success, true);
});`}
        what="test suite example"
      />
    </>
  );
}

function Run() {
  return (
    <>
      <p>In a clone of the repository, one command installs, builds and starts everything.</p>
      <Snippet isWhole code="npm start" what="start command" />
      <p>
        Data is stored in a folder, and every chain is simulated on your machine unless you configure a remote node. The{" "}
        <code className="mono">README.md</code> lists all options and environment variables.
      </p>
    </>
  );
}

function Deploy() {
  return (
    <>
      <ol className="list-decimal pt-3 pr-4 pl-10 text-14 2xl:pb-3">
        <li>
          Push the repository to GitHub, GitLab or Bitbucket. Import it at{" "}
          <a href="https://vercel.com/new" className="app-link">
            vercel.com/new
          </a>{" "}
          and deploy it. Without a database, it runs as a read-only demo.
        </li>
        <li>
          Under <strong>Storage</strong>, create a Neon database in the region of the functions, by default Washington,
          D.C. This sets <code className="mono">DATABASE_URL</code>. To use another Postgres, set{" "}
          <code className="mono">DATABASE_URL</code> to its connection string under{" "}
          <strong>Settings → Environment Variables</strong>.
        </li>
        <li>
          Under <strong>Deployments</strong>, redeploy, because variables apply only to new deployments. The first
          request creates the tables and each network’s genesis block.
        </li>
        <li>
          Open <code className="mono">/api/health</code> on the deployment. It should return{" "}
          <code className="mono">"status": "ok"</code> and <code className="mono">"kind": "postgres"</code>.
        </li>
      </ol>
      <p>
        No other variable is required. The key that sends settlements is generated and stored in the database. To use
        your own key, set <code className="mono">FACILITATOR_PRIVATE_KEY</code>. It’s required only if a network uses a
        remote node.
      </p>
      <div>
        <p className="2xl:-mt-1 2xl:px-0! 2xl:pt-0!">
          To test the deployment on your machine first, without a Vercel account:
        </p>
        <Snippet isWhole code="npm run deploy:check" what="deployment check" />
      </div>
    </>
  );
}

function Reference({ network }: Props) {
  const links = [
    [toRpcPath(network), "OpenRPC: every JSON-RPC method with schemas, errors and examples"],
    ["/api/openapi.json", "OpenAPI: the facilitator and the paid resources"],
    ["/.well-known/x402", "Catalog: the paid resources with their prices"],
    ["/api/health", "Health: what works, and what needs attention"],
    ["/llms.txt", "Plain text: all of this, for language models and agents"],
  ] as const;
  return (
    <ul className="py-2 text-14">
      {links.map(([path, text]) => (
        <li key={path} className="flex flex-wrap gap-x-4 px-4 py-1.5">
          <a href={path} className="app-link min-w-0 basis-64">
            <Url url={path} />
          </a>
          <span className="min-w-0 flex-1 basis-64 text-ink-2">{text}</span>
        </li>
      ))}
    </ul>
  );
}
