// What is wrong with the picture of a game, in sentences. Text on boards is measured here; axe looks at all other text.
() => {
    const found = [];
    const box = (one) => one.getBoundingClientRect();
    const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const rgb = (text) => text.match(/[\d.]+/g).map(Number);
    const light = (colour) => {
        const [r, g, b] = colour.map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

    const wide = document.documentElement.scrollWidth;
    if (wide > window.innerWidth) found.push(`the page is ${wide} px wide`);
    const panel = document.querySelector(".panel.game");
    const ground = rgb(getComputedStyle(panel).backgroundColor);
    const inside = box(panel);

    for (const board of document.querySelectorAll(".board")) {
        const size = box(board);
        if (size.width < 0.5 * inside.width) found.push(`the board is ${size.width} px of ${inside.width}`);
        if (size.left < inside.left || size.right > inside.right) found.push("the board sticks out of its panel");
        const cells = [...board.querySelectorAll(".cell .ground")].map(box);
        const least = Math.min(...cells.map(({ width, height }) => Math.min(width, height)));
        if (!(least >= 15)) found.push(`a cell is ${least} px wide`);
        const labels = [...board.querySelectorAll(".label")];
        if (labels.length === 0) found.push("the board has no labels");
        labels.forEach((label, n) => {
            const { left, right, top, bottom } = box(label);
            if (left < size.left || right > size.right || top < size.top || bottom > size.bottom) {
                found.push(`the label ${label.textContent} is cut off`);
            }
            const { x, y, width, height } = label.getBBox();
            const corners = [[0, 0], [1, 0], [0, 1], [1, 1], [0.5, 0.5]].map(
                ([right, down]) => new DOMPoint(x + right * width, y + down * height),
            );
            const sides = [...board.querySelectorAll(".side")];
            if (sides.some((side) => corners.some((corner) => side.isPointInStroke(corner)))) {
                found.push(`the label ${label.textContent} lies on the edge`);
            }
            const clash = labels.slice(n + 1).find((other) => overlap(box(label), box(other)));
            if (clash) found.push(`the labels ${label.textContent} and ${clash.textContent} overlap`);
            const piece = [...board.querySelectorAll(".piece.owner1, .piece.owner2")].find((one) => overlap(box(label), box(one)));
            if (piece) found.push(`the label ${label.textContent} lies on a piece`);
        });
        for (const share of board.querySelectorAll(".share:not(:empty)")) {
            const pieces = [...board.querySelectorAll(".piece.owner1, .piece.owner2")];
            if (pieces.some((one) => overlap(box(share), box(one)))) found.push(`the share ${share.textContent} lies on a piece`);
        }
        const texts = [...labels, ...board.querySelectorAll(".share:not(:empty)")];
        for (const text of texts) {
            const style = getComputedStyle(text);
            const scale = size.width / board.viewBox.baseVal.width;
            const height = parseFloat(style.fontSize) * scale;
            if (height < 9.5) found.push(`the text ${text.textContent} is ${height.toFixed(1)} px high`);
            const behind = style.paintOrder.startsWith("stroke") ? rgb(style.stroke) : ground;
            const ratio = contrast(rgb(style.fill), behind);
            if (ratio < 4.5) found.push(`the text ${text.textContent} has a contrast of ${ratio.toFixed(2)}`);
        }
        const colours = [...board.querySelectorAll(".piece.owner1 circle:first-child, .piece.owner2 circle:first-child")];
        for (const piece of colours) {
            if (box(piece).width < 0.5 * least) found.push(`a piece is ${box(piece).width} px wide`);
        }
    }
    for (const track of document.querySelectorAll(".bars .track")) {
        const { width } = box(track);
        if (width < 64) found.push(`a bar has ${width.toFixed(0)} px`);
    }
    for (const card of document.querySelectorAll(".card, .die")) {
        const { left, right, width } = box(card);
        if (width < 32) found.push(`a card is ${width} px wide`);
        if (left < inside.left || right > inside.right) found.push("a card sticks out of the panel");
    }
    if (document.querySelectorAll(".board, .card, .die, .text").length === 0) found.push("nothing is drawn");
    return [...new Set(found)];
}
