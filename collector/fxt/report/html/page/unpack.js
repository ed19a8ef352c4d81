// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * unpack.js - unpacks blocks of the page (report/html/spool.h), first that of the scripts, which it
 * runs. It uses no other script, because they are in a block.
 */
'use strict';

function byId(id) {
	return document.getElementById(id);
}

/* Show a problem at the top of the page. */
function tellProblem(text) {
	byId('problem').textContent = text;
	byId('problem').hidden = false;
}

async function unpacked(name) {
	const packed = atob(byId('fxt-' + name).textContent);
	const bytes = new Uint8Array(packed.length);

	for (let i = 0; i < bytes.length; i++)
		bytes[i] = packed.charCodeAt(i);
	return new Uint8Array(await new Response(new Blob([bytes]).stream()
		.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/* All scripts run as one. The page's policy allows an inline script, but no eval(). */
async function runScripts() {
	if (!window.DecompressionStream) {
		tellProblem('This browser cannot unpack the page (DecompressionStream); ' +
			    'use a browser of 2023 or later.');
		return;
	}
	const script = document.createElement('script');

	script.textContent = new TextDecoder().decode(await unpacked('scripts'));
	document.head.append(script);
	byId('fxt-scripts').remove();
}

runScripts().catch((error) => {
	tellProblem('The page cannot be shown: ' + error.message +
		    '; if the file is truncated or changed, run fxt report --html again.');
	console.error(error);
});
