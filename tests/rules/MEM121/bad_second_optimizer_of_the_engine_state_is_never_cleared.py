# of two optimizers on the state of an engine one is cleared, the other never

import torch


def adversarial_step(engine, batch):
    state = engine.state
    engine.state.g_optimizer.zero_grad(set_to_none=True)
    fakes = engine.state.g_network(batch)
    engine.state.g_loss(engine.state.d_network(fakes)).mean().backward()
    engine.state.g_optimizer.step()

    reals = engine.state.d_network(batch)
    fakes = engine.state.d_network(fakes.detach())
    loss = engine.state.d_loss(reals, fakes).mean()
    loss.backward()  #! MEM121
    engine.state.d_optimizer.step()
    return state.iteration


def run(engine, loader):
    for batch in loader:
        adversarial_step(engine, batch.to("cuda"))
    torch.save(engine.state.g_network.state_dict(), "g.pt")
