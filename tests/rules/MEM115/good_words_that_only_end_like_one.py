# Nothing here speaks of memory: ZOOM and room are words of their own.

import arrays
import torch


class Generator:
    def open_shared(self, path, shape):
        last_error = None
        for _ in range(20):
            try:
                self.out = arrays.open(path, shape=shape)
                return torch.as_tensor(shape)
            except Exception as error:
                last_error = error
                if tuple(self.out.shape) != tuple(shape):
                    raise RuntimeError("remove the file of another 'ZOOM_FACTOR', there is no more room_") from None
        raise RuntimeError(f"could not open {path}: {last_error}")
