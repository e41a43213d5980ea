import jax
import jax.numpy as jnp
import optax


def loss_fn(params, model, x, y):
    logits = model.apply(params, x)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()


def train(model, params, loader, epochs):
    optimizer = optax.adam(1e-3)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, model, x, y)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    losses = []
    for _ in range(epochs):
        total_loss = 0
        for x, y in loader:
            params, state, loss = step(params, state, x, y)
            total_loss += loss
            losses.append(loss)
        print(total_loss)
    return params


def evaluate(model, params, loader):
    preds = []
    for x, _ in loader:
        preds.append(model.apply(params, x))
    return jnp.concatenate(preds)
