! SPDX-License-Identifier: Apache-2.0
! From Fortran: the C functions are declared through iso_c_binding.
program sort_from_fortran
    use, intrinsic :: iso_c_binding
    implicit none

    integer(c_int32_t), parameter :: consort_f64 = int(z'0308', c_int32_t)

    interface
        function consort_sort(input, output, item_count, type, options) &
            bind(c, name='consort_sort') result(status)
            import :: c_ptr, c_int32_t, c_int64_t
            type(c_ptr), value :: input, output, options
            integer(c_int64_t), value :: item_count
            integer(c_int32_t), value :: type
            integer(c_int32_t) :: status
        end function consort_sort
    end interface

    real(c_double), target :: values(5) = [2.5d0, -1.0d0, 3.0d2, 0.0d0, -4.75d0]
    integer(c_int32_t) :: status

    status = consort_sort(c_loc(values), c_loc(values), size(values, kind=c_int64_t), &
                          consort_f64, c_null_ptr)
    if (status /= 0) error stop 'consort_sort failed'
    print '(5f8.2)', values
end program sort_from_fortran
