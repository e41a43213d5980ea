# the caller of a generator says in which grad mode it runs

from functools import singledispatch

import numpy as np
from forecasting.batches import Forecast, select
from torch.utils.data import DataLoader


@singledispatch
def to_numpy(x) -> np.ndarray:
    raise NotImplementedError


def make_predictions(prediction_net, inputs: dict):
    return prediction_net(**inputs)


class ForecastGenerator:
    def __init__(self, quantiles):
        self.quantiles = quantiles

    def __call__(self, inference_data_loader: DataLoader, prediction_net, input_names):
        for batch in inference_data_loader:
            inputs = select(input_names, batch)
            (outputs,), loc, scale = make_predictions(prediction_net, inputs)
            outputs = to_numpy(outputs)
            if scale is not None:
                outputs = outputs * to_numpy(scale[..., None])
            if loc is not None:
                outputs = outputs + to_numpy(loc[..., None])
            for i, output in enumerate(outputs):
                forecast = np.moveaxis(output, -1, 0)
                yield Forecast(forecast, batch["start"][i], keys=self.quantiles)
