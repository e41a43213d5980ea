# what is run again was not stopped by memory: the handler says so

import torch


class Server:
    def run(self, requests):
        try:
            return self.model(torch.stack(requests))
        except Exception as error:
            if len(requests) > 1 and not isinstance(error, torch.cuda.OutOfMemoryError):
                return [self.run([request]) for request in requests]
            raise


def forward(model, x):
    try:
        return model(x)
    except RuntimeError as e:
        if "out of memory" not in str(e):
            return model(x.contiguous())
        raise
