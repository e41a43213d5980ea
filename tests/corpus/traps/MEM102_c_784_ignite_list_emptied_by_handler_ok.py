from ignite.engine import Engine, Events

KEPT = []


def make(net, opt, crit):
    def step(engine, batch):
        x, y = batch
        opt.zero_grad()
        loss = crit(net(x), y)
        loss.backward()
        opt.step()
        KEPT.append(loss)
        return loss.item()

    engine = Engine(step)

    @engine.on(Events.ITERATION_COMPLETED(every=10))
    def flush(e):
        print(sum(k.item() for k in KEPT) / len(KEPT))
        KEPT.clear()

    return engine
