# a generator detaches the loss in place before it hands it over; without a loss function it is None

import torch
from torch.autograd import grad


class Operator:
    def __init__(self, model_func, loss_func, params, data, device):
        self._model_func, self._loss_func, self._params, self._data = model_func, loss_func, params, data
        self.device = device

    def _loop_over_data(self):
        for X, y in self._data:
            yield X.to(self.device), y.to(self.device)

    def data_loss(self):
        for X, y in self._loop_over_data():
            prediction = self._model_func(X)
            if self._loss_func is None:
                loss, grad_params = None, None
            else:
                loss = self._loss_func(prediction, y).mul_(2)
                grad_params = [g.detach() for g in grad(loss, self._params)]
                loss.detach_()

            yield (X, y), prediction, loss, grad_params

    def gradient_and_loss(self):
        total_loss = torch.tensor([0.0]).squeeze()
        total_grad = [torch.zeros_like(p) for p in self._params]
        for _, _, loss, grad_params in self.data_loss():
            total_loss.add_(loss)
            for total_g, g in zip(total_grad, grad_params):
                total_g.add_(g)
        return total_grad, total_loss
