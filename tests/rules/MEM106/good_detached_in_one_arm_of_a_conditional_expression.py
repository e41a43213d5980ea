# the state is detached in one arm of a conditional expression; in the other there is none

def update(model, optimizer, chunks, clip):
    state = None
    for observed, action, old_log_prob, advantage in chunks:
        log_prob, state = model(observed, state, action)
        state = state if model.cell is None else (state[0].detach(), state[1].detach())
        ratio = (log_prob - old_log_prob).exp()
        loss = -(advantage * ratio.clamp(1 - clip, 1 + clip)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
