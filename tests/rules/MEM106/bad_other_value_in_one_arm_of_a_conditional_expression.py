# both arms of the conditional expression hand the graph on

def update(model, optimizer, chunks, clip):
    state = None
    for observed, action, old_log_prob, advantage in chunks:
        log_prob, state = model(observed, state, action)  #! MEM106 warning
        state = state if model.scale is None else state * model.scale
        ratio = (log_prob - old_log_prob).exp()
        loss = -(advantage * ratio.clamp(1 - clip, 1 + clip)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
