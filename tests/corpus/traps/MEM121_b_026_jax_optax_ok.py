import jax
import jax.numpy as jnp
import optax


def loss_fn(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def step(params, state, x, y):
    loss, g = jax.value_and_grad(loss_fn)(params, x, y)
    up, state = opt.update(g, state)
    return optax.apply_updates(params, up), state, loss


opt = optax.adam(1e-3)
params = {"w": jnp.zeros((4, 1)), "b": jnp.zeros(1)}
state = opt.init(params)
total_loss, losses = 0.0, []
for i in range(1000):
    x = jax.random.normal(jax.random.PRNGKey(i), (32, 4))
    params, state, loss = step(params, state, x, x.sum(1, keepdims=True))
    total_loss += loss
    losses.append(loss)
print(total_loss / 1000)
