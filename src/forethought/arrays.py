"""Names of array types, for signatures: how wide the numbers are, not what they stand for."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
UInt32s = npt.NDArray[np.uint32]
UInt64s = npt.NDArray[np.uint64]
Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]
