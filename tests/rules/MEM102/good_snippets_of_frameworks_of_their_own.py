# snippets of frameworks of their own: numpy by hand, MXNet


class Affine:
    def backward(self, grad):
        return grad @ self.weight.T


for x, y in batches:
    loss = criterion.forward(net.forward(x), y)
    loss.backward()
    losses.append(loss)
